/** One number of a measurement, beside the number that it is judged by. */
export type Figure = {
  name: string
  value: number
  unit:
    | 'ms'
    | '1/s'
    | 'MB'
    | 'MB/s'
    | 'kB'
    | 'x'
    | 'nodes'
    | 'deltas'
    | 'races'
    | 'tokens'
    | 'locks'
    | 'rows'
    | 'runs'
    | '%'
  /** The same on the baseline, in the same run. */
  baseline?: number
  /** The same of others in the same run, by name. */
  others?: Record<string, number>
  /** What Void promises; left out where the figure is only shown. */
  bound?: { kind: 'at most' | 'at least'; value: number }
}

/** A measurement runs everything that it needs itself and leaves nothing behind. */
export type Measurement = {
  name: string
  /** In a line: what is measured, and what stands beside it. */
  about: string
  run: (log: (message: string) => void) => Promise<Figure[]>
}

/** `null` where nothing was promised. */
export function isHeld({ value, bound }: Figure): boolean | null {
  if (!bound) return null
  return bound.kind === 'at most' ? value <= bound.value : value >= bound.value
}
