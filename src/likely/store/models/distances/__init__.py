"""Files of models that hold rows and compare them."""
