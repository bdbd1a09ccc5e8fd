// Traces over OTLP, by OpenTelemetry's own SDK. Loaded only where a collector is configured. A step carries names of
// our own and ids, never what somebody wrote: of a statement its text, whose values are parameters; of an error its code.

import { SpanStatusCode, trace as traces } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from '../../core/logger.ts'
import type { Trace, Tracing } from './telemetry.ts'

export type TracingOptions = {
  /** The collector's URL, without `/v1/traces`. */
  endpoint: string
  serviceName: string
  version: string
  /** Identifies this run of this server. */
  instance: string
  logger: Logger
}

/** Maximum queued spans; further ones are dropped. */
const maxQueueSize = 2048

const exportTimeoutMs = 5000

/** An unreachable collector loses spans, and nothing else. */
export function createTracing({ endpoint, serviceName, version, instance, logger }: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': instance,
    }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize, exportTimeoutMillis: exportTimeoutMs }),
    ],
  })
  // Not registered globally: several servers of one process, as tests have them, would share one.
  const contexts = new AsyncLocalStorageContextManager().enable()
  const tracer = provider.getTracer('void', version)

  const trace: Trace = (name, attributes, work) => {
    const parent = contexts.active()
    const span = tracer.startSpan(name, { attributes }, parent)
    return contexts.with(traces.setSpan(parent, span), async () => {
      try {
        return await work((noted) => span.setAttributes(noted))
      } catch (error) {
        span.setAttribute('error.type', errorCode(error))
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })
  }

  return {
    trace,
    async close() {
      await provider
        .shutdown()
        .catch((error: unknown) => logger.warn({ err: error }, 'final traces not delivered'))
      contexts.disable()
    },
  }
}

/** An error's type: our own code or that of Postgres or Node, else its class. Never its message. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : error.name.slice(0, 40)
}
