import { expect, test } from 'vitest'
import { measurePeaks } from '../tools/bench/small-machine.ts'

test.runIf(process.platform === 'linux')(
  'a first start, the first page, the first index and an import fit into 700 MB',
  async () => {
    const peaks = await measurePeaks(100)

    expect(Object.values(peaks)).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)])
    for (const peak of Object.values(peaks)) {
      expect(peak, JSON.stringify(peaks)).toBeGreaterThan(100)
      expect(peak, JSON.stringify(peaks)).toBeLessThan(700)
    }
  },
)
