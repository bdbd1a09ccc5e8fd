import { type CallModel, ModelError } from '../../ai/model.ts'
import type { CurrentModel, ModelProvider } from '../../ai/models/model-provider.ts'
import type { Telemetry } from './telemetry.ts'

type Role = 'answer' | 'small'

/** The same models, whose calls are timed and counted. The companion of rules is not a model and costs nothing. */
export function watchModels(models: ModelProvider, telemetry: Telemetry): ModelProvider {
  return {
    current: (name) => watched(models.current(name), 'answer', telemetry),
    small() {
      const model = models.small()
      return model && watched(model, 'small', telemetry)
    },
    list: models.list,
  }
}

function watched(model: CurrentModel, role: Role, telemetry: Telemetry): CurrentModel {
  if (model.mode === 'offline') return model
  const { trace } = telemetry
  const callModel = counted(model.callModel, role, telemetry)
  const attributes = { 'gen_ai.request.model': model.name, role }
  return {
    ...model,
    callModel: (request) => trace('model.call', attributes, () => callModel(request)),
  }
}

const counted =
  (callModel: CallModel, role: Role, { metrics: { modelCalls, modelTokens } }: Telemetry): CallModel =>
  async (request) => {
    const end = modelCalls.startTimer({ role })
    try {
      const response = await callModel(request)
      end({ outcome: 'ok' })
      const { usage } = response
      modelTokens.inc({ role, kind: 'input' }, usage.input_tokens)
      modelTokens.inc({ role, kind: 'output' }, usage.output_tokens)
      modelTokens.inc({ role, kind: 'cache_read' }, usage.cache_read_input_tokens)
      modelTokens.inc({ role, kind: 'cache_write' }, usage.cache_creation_input_tokens)
      return response
    } catch (error) {
      end({ outcome: outcomeOf(error, request.signal) })
      throw error
    }
  }

function outcomeOf(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted) return 'aborted'
  return error instanceof ModelError ? error.code : 'error'
}
