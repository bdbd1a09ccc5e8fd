// Seeing what a server does, from outside of it: numbers for Prometheus (metrics.ts) and, where a collector is
// configured, traces (tracing.ts). The parts of Void know nothing of either; they are wrapped where Void is put together.

import { collectDefaultMetrics } from 'prom-client'
import { createMetrics, type Metrics } from './metrics.ts'

type Attributes = Readonly<Record<string, string | number | boolean>>

/** Runs `work` as a named step of whatever it is part of, and passes on what it returns or throws. */
export type Trace = <Result>(
  name: string,
  attributes: Attributes,
  /** `note` adds what is known only later. */
  work: (note: (attributes: Attributes) => void) => Promise<Result>,
) => Promise<Result>

export type Tracing = {
  trace: Trace
  /** Sends what was gathered. Never rejects. */
  close(): Promise<void>
}

export type Telemetry = {
  metrics: Metrics
  trace: Trace
  /** Whether steps go anywhere: what only makes them can be left out. */
  isTracing: boolean
  /** Measures the process as well: event loop, memory, descriptors, garbage collection. */
  start(): void
  close(): Promise<void>
}

const noTrace: Trace = (_name, _attributes, work) => work(() => {})

/** Milliseconds between two looks at the event loop. */
const eventLoopPrecisionMs = 20

/** Without `tracing`, steps are run and nothing more. */
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
