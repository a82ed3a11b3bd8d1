"""What is learned in many passes: hidden classes and components of mixtures, by EM."""
