import type { FileOutcome, ImportJob } from '../../../lib/contract/imports.ts'
import { skipped } from '../../../lib/files/import/file/outcome.ts'
import type { Api } from '../../app/api/api.ts'
import type { Store } from '../../app/state.ts'
import { batchFiles, isContainer, type Picked } from './import-plan.ts'
import type { ImportState } from './import-state.ts'
import { toBase64 } from './read-files.ts'

const maxFileBytes = 50 * 1024 * 1024
/** Larger files are streamed, each in a request of its own. */
const maxInlineBytes = 4 * 1024 * 1024

/**
 * Uploads the files that have not been, in requests of several files; creates the job first where there is none. False
 * when it was stopped. Leaving the page is confirmed until it ends.
 */
export async function uploadFiles(
  api: Api,
  state: Store<ImportState>,
  isStopped: () => boolean,
): Promise<boolean> {
  const { plan, space, trust, uploaded } = state.get()
  const confirmLeave = (event: Event) => event.preventDefault()
  window.addEventListener('beforeunload', confirmLeave)
  try {
    if (!state.get().job) {
      const [only, ...more] = plan!.files
      const root = only && more.length === 0 && only.path.toLowerCase().endsWith('.zip') ? only.path : null
      const body = { source: plan!.source, root, trust }
      state.set({ job: await api.post<ImportJob>(`/api/spaces/${space!.id}/imports`, body) })
    }
    for (const batch of batchFiles(plan!.files.slice(uploaded))) {
      if (isStopped()) return false
      const failed = await uploadBatch(api, state.get().job!.id, batch)
      state.set((now) => ({ uploaded: now.uploaded + batch.length, failed: [...now.failed, ...failed] }))
    }
    return true
  } finally {
    window.removeEventListener('beforeunload', confirmLeave)
  }
}

/** The files that could not be uploaded, with the reason. */
async function uploadBatch(api: Api, jobId: string, batch: readonly Picked[]): Promise<FileOutcome[]> {
  const at = `/api/imports/${jobId}`
  const files: { path: string; base64: string }[] = []
  const failed: FileOutcome[] = []
  for (const { path, file } of batch) {
    if (file.size > maxFileBytes && !isContainer(path)) failed.push(skipped(path, 'larger than 50 MB'))
    else if (file.size > maxInlineBytes) {
      const headers = { 'content-type': 'application/octet-stream' }
      await api.fetch(`${at}/file?path=${encodeURIComponent(path)}`, { method: 'POST', headers, body: file })
    } else {
      const base64 = await toBase64(file).catch(() => null)
      if (base64 === null) failed.push(skipped(path, 'the browser could not read it'))
      else files.push({ path, base64 })
    }
  }
  if (files.length > 0) await api.post(`${at}/files`, { files })
  return failed
}
