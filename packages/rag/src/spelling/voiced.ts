/** Returns a reading as it is inside of a compound: ビ of 花火. */
export function voiced(reading: string): string {
  return /^[カキクケコサシスセソタチツテトハヒフヘホ]/.test(reading)
    ? `${reading.slice(0, 1)}\u3099${reading.slice(1)}`.normalize('NFC')
    : reading;
}
