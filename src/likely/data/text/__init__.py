"""Text: documents from whatever a user has, their tokens, and tables in which words are looked up."""

from likely.data.text.documents import batches, read_documents
from likely.data.text.lookup import TermTable
from likely.data.text.stop_words import ENGLISH
from likely.data.text.tokenizer import WORDS_OF_TWO, Tokenizer

__all__ = [
    "ENGLISH",
    "WORDS_OF_TWO",
    "TermTable",
    "Tokenizer",
    "batches",
    "read_documents",
]
