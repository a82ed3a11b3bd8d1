"""Metadata routing as scikit-learn's own estimators have it: who asks for sample_weight, and where it goes.

scikit-learn is imported when routing is asked for, never before. Which arguments an estimator can ask for is read from
the signatures of its methods, and a request that a user sets is kept under scikit-learn's own name, so that its clone,
its pipelines and its searches find it.

    >>> from sklearn import config_context
    >>> from likely import NaiveBayes
    >>> with config_context(enable_metadata_routing=True):
    ...     NaiveBayes().set_fit_request(sample_weight=True).get_metadata_routing()
    {'fit': {'sample_weight': True}, ...
"""

from typing import TYPE_CHECKING, Any, Self

METHODS = ("fit", "partial_fit", "predict", "predict_proba", "predict_log_proba", "decision_function", "score",
           "transform", "inverse_transform")  # fmt: skip


class _Request:
    """`set_{method}_request`, where that method takes something besides X and y."""

    def __init__(self, method: str) -> None:
        self.method = method

    def __get__(self, instance: object, owner: type["Routed"]) -> Any:
        if self.method not in METHODS or not callable(getattr(owner, self.method, None)):
            raise AttributeError(f"{owner.__name__} has no method {self.method}")
        try:
            from sklearn.utils._metadata_requests import RequestMethod
        except ImportError:
            raise AttributeError("metadata routing is scikit-learn's, which is not installed") from None
        keys = owner._get_class_level_metadata_request_values(self.method)
        if not keys:
            raise AttributeError(f"{self.method} of {owner.__name__} takes no metadata")
        return RequestMethod(self.method, sorted(keys)).__get__(instance, owner)


class Routed:
    """What scikit-learn asks of an estimator that metadata are routed to."""

    if TYPE_CHECKING:

        def set_fit_request(self, **request: bool | str | None) -> Self: ...
        def set_partial_fit_request(self, **request: bool | str | None) -> Self: ...
        def set_predict_request(self, **request: bool | str | None) -> Self: ...
        def set_predict_proba_request(self, **request: bool | str | None) -> Self: ...
        def set_predict_log_proba_request(self, **request: bool | str | None) -> Self: ...
        def set_decision_function_request(self, **request: bool | str | None) -> Self: ...
        def set_score_request(self, **request: bool | str | None) -> Self: ...
        def set_transform_request(self, **request: bool | str | None) -> Self: ...
        def set_inverse_transform_request(self, **request: bool | str | None) -> Self: ...

    else:
        set_fit_request = _Request("fit")
        set_partial_fit_request = _Request("partial_fit")
        set_predict_request = _Request("predict")
        set_predict_proba_request = _Request("predict_proba")
        set_predict_log_proba_request = _Request("predict_log_proba")
        set_decision_function_request = _Request("decision_function")
        set_score_request = _Request("score")
        set_transform_request = _Request("transform")
        set_inverse_transform_request = _Request("inverse_transform")

    def get_metadata_routing(self) -> Any:
        """Which metadata each method asks for (scikit-learn's `MetadataRequest`, or `MetadataRouter` of wrappers)."""
        return self._get_metadata_request()

    def _get_metadata_request(self) -> Any:
        from sklearn.utils._metadata_requests import _MetadataRequester

        return _MetadataRequester._get_metadata_request(self)

    @classmethod
    def _get_class_level_metadata_request_values(cls, method_name: str, *given: Any, **options: Any) -> Any:
        from sklearn.utils._metadata_requests import _MetadataRequester

        return _MetadataRequester._get_class_level_metadata_request_values.__func__(cls, method_name, *given, **options)
