import type { ImportJob } from '../../../lib/contract/imports.ts'
import type { App } from '../../app/app.ts'

const pollMs = 400
const busyStates: readonly ImportJob['state'][] = ['previewing', 'running', 'undoing']

/** Resolves to the job once it has ended or stopped; `onProgress` is called with it until then. */
export async function pollImport(
  app: App,
  job: ImportJob,
  onProgress: (job: ImportJob) => void = () => {},
): Promise<ImportJob> {
  let now = job
  while (busyStates.includes(now.state)) {
    onProgress(now)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    now = await app.api.get<ImportJob>(`/api/imports/${job.id}`)
  }
  return now
}
