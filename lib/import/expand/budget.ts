import { SkippedFile } from '../../vault/skipped-file.ts'

/** What archives may unpack to in one import, those inside others included. */
export type Budget = {
  /** Takes an entry of so many bytes off what is left. Throws `SkippedFile` when that is too much. */
  spend(bytes: number): void
}

const maxBytes = 20 * 1024 * 1024 * 1024
const maxFiles = 500_000

export function createBudget({ bytes = maxBytes, files = maxFiles } = {}): Budget {
  const left = { bytes, files }
  return {
    spend(size) {
      left.bytes -= size
      left.files -= 1
      if (left.files < 0) throw new SkippedFile(`its archives hold more than ${files} files`)
      if (left.bytes < 0)
        throw new SkippedFile(`its archives unpack to more than ${Math.round(bytes / 1024 ** 2)} MB`)
    },
  }
}
