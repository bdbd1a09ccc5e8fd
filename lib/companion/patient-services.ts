import type { ToolServices } from '../ai/agent/services.ts'
import { withPatience } from './with-patience.ts'

/**
 * The services as a turn reaches them: a database that is away for a moment costs a call nothing but time, until the
 * signal is aborted. Each is safe to do twice: a draft is stored once for each call, what was withdrawn stays so, and
 * the others read.
 */
export function createPatientServices(services: ToolServices, signal: AbortSignal): ToolServices {
  const patiently = <Result>(run: () => Promise<Result>) => withPatience(run, signal)

  return {
    search: (...given) => patiently(() => services.search(...given)),
    read: (...given) => patiently(() => services.read(...given)),
    list: (...given) => patiently(() => services.list(...given)),
    name: (...given) => patiently(() => services.name(...given)),
    stands: (...given) => patiently(() => services.stands(...given)),
    propose: (...given) => patiently(() => services.propose(...given)),
    retract: (...given) => patiently(() => services.retract(...given)),
  }
}
