"""How far a calibrated probability may be from the frequency of what comes true."""
