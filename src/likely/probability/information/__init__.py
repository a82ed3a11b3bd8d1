"""Information in bits, and the codes that attain it."""
