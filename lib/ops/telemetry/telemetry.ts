// Observability of a server: Prometheus metrics (metrics.ts) and, if a collector is configured, traces (tracing.ts).
// Services do not depend on it; they are wrapped in `assemble`.

import { collectDefaultMetrics } from 'prom-client'
import { createMetrics, type Metrics } from './metrics.ts'

type Attributes = Readonly<Record<string, string | number | boolean>>

/** Runs `work` as a span of the current trace, and passes on its result or error. */
export type Trace = <Result>(
  name: string,
  attributes: Attributes,
  /** `note` adds attributes later. */
  work: (note: (attributes: Attributes) => void) => Promise<Result>,
) => Promise<Result>

export type Tracing = {
  trace: Trace
  /** Sends buffered spans. Never rejects. */
  close(): Promise<void>
}

export type Telemetry = {
  metrics: Metrics
  trace: Trace
  /** True if spans are exported: otherwise creating them can be skipped. */
  isTracing: boolean
  /** Includes process metrics: event loop, memory, descriptors, garbage collection. */
  start(): void
  close(): Promise<void>
}

const noTrace: Trace = (_name, _attributes, work) => work(() => {})

/** Milliseconds between two looks at the event loop. */
const eventLoopPrecisionMs = 20

/** Without `tracing`, spans only run their work. */
export function createTelemetry(tracing: Tracing | null = null): Telemetry {
  const metrics = createMetrics()
  return {
    metrics,
    trace: tracing?.trace ?? noTrace,
    isTracing: tracing !== null,
    start() {
      collectDefaultMetrics({
        register: metrics.register,
        eventLoopMonitoringPrecision: eventLoopPrecisionMs,
      })
    },
    close: async () => await tracing?.close(),
  }
}
