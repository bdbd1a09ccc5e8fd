import { SkippedFile } from '../../vault/skipped-file.ts'
import type { PlainFile } from '../file/source-file.ts'

/** Files until one cannot be read; then the reason, under `path`. */
export async function* skippingProblems(
  path: string,
  files: AsyncIterable<PlainFile>,
): AsyncGenerator<PlainFile> {
  try {
    yield* files
  } catch (error) {
    if (!(error instanceof SkippedFile)) throw error
    yield { path, skip: error.message }
  }
}
