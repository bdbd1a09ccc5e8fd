import type { Entry, ZipFile } from 'yauzl'
import { SkippedFile } from '../skipped-file.ts'

const maxListed = 300_000
/** Of the header in front of an entry's bytes, without its name. */
const localHeaderBytes = 30

/**
 * What an archive lists, in its order. Throws `SkippedFile` when the list is broken, too long, or has entries that share
 * bytes: no program packs like that, and a few kilobytes could then unpack to any size.
 */
export async function readDirectory(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.length >= maxListed) throw new Error(`it has more than ${maxListed} entries`)
      entries.push(entry)
    }
  } catch (error) {
    throw new SkippedFile(
      `its list of files is broken: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  if (overlaps(entries)) throw new SkippedFile('its entries overlap; no archive of real files does that')
  return entries
}

function overlaps(entries: readonly Entry[]): boolean {
  const byPlace = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  let end = 0
  for (const { relativeOffsetOfLocalHeader: start, fileNameRaw, compressedSize } of byPlace) {
    if (start < end) return true
    end = start + localHeaderBytes + fileNameRaw.length + compressedSize
  }
  return false
}
