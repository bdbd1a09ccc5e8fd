// A time inside of a text. The clock is the kernel's monotonic one, which all processes of a machine share.

/** Microseconds on the shared clock. */
export const nowUs = () => Number(process.hrtime.bigint() / 1000n)

/** Characters of a stamp. */
export const stampLength = 18

export const stampOf = (us: number) => `t${String(us).padStart(stampLength - 2, '0')} `

/** The times in a text, in order. */
export const readStamps = (text: string) =>
  [...text.matchAll(/t(\d{16}) /g)].map(([, digits]) => Number(digits))
