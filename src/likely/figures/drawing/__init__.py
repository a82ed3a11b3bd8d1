"""What every picture is drawn with: axes, colours, legends, names beside points, subjects checked."""
