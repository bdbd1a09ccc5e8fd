import type { ImportJob } from '../../lib/contract/imports.ts'
import type { App } from '../app.ts'

const askEveryMs = 400
const busy: readonly ImportJob['state'][] = ['previewing', 'running', 'undoing']

/** The job once it rests; meanwhile it is told of at each look. */
export async function followImport(
  app: App,
  job: ImportJob,
  onStep: (job: ImportJob) => void = () => {},
): Promise<ImportJob> {
  let now = job
  while (busy.includes(now.state)) {
    onStep(now)
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
    now = await app.api.get<ImportJob>(`/api/imports/${job.id}`)
  }
  return now
}
