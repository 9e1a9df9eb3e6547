"""dw play: acceptance as data. A story says what people do and what must then be true, in their words."""
