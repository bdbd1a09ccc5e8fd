// What one server uses, from its own figures, and how that grows.

type Sample = { seconds: number; rss: number; fds: number; connections: number; loopP99: number }

export type Samples = {
  /** `connections`: those of all servers that the database counts. */
  take(url: string, connections: number): Promise<void>
  /** Lines for a person: the first and the last quarter, and the slope of memory behind the first. */
  report(): string[]
}

export function createSamples(headers: Record<string, string>): Samples {
  const samples: Sample[] = []
  const began = performance.now()

  return {
    async take(url, connections) {
      const text = await (await fetch(`${url}/metrics`, { headers })).text()
      const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
      samples.push({
        seconds: (performance.now() - began) / 1000,
        rss: read('process_resident_memory_bytes') / 1e6,
        fds: read('process_open_fds'),
        connections,
        loopP99: read('nodejs_eventloop_lag_p99_seconds') * 1000,
      })
    },

    report() {
      const quarter = Math.max(1, Math.floor(samples.length / 4))
      const line = (name: string, of: (sample: Sample) => number, unit: string) => {
        const mean = (part: Sample[]) => part.reduce((sum, sample) => sum + of(sample), 0) / part.length
        const [first, last] = [mean(samples.slice(0, quarter)), mean(samples.slice(-quarter))]
        return `${name}: ${first.toFixed(1)} ${unit} in the first quarter, ${last.toFixed(1)} ${unit} in the last`
      }
      const slope = slopeOf(samples.slice(quarter).map(({ seconds, rss }) => [seconds / 60, rss]))
      return [
        `${line('Memory', ({ rss }) => rss, 'MB')}; ${slope.toFixed(2)} MB a minute after the first`,
        line('Descriptors', ({ fds }) => fds, 'open'),
        line('Connections of all servers', ({ connections }) => connections, 'open'),
        line('Event loop delay, p99', ({ loopP99 }) => loopP99, 'ms'),
      ]
    },
  }
}

/** By least squares; 0 for fewer than two points. */
function slopeOf(points: [number, number][]): number {
  if (points.length < 2) return 0
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  return points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread
}
