import { textOf } from '../entities/kind.ts'
import { createParser } from '../import/parse/parser.ts'
import { SkippedFile } from '../vault/skipped-file.ts'

/**
 * The article of a web page as Markdown, read in a thread with limits, as an import reads it; empty where there is none to
 * be read.
 */
export async function readClip(html: string): Promise<string> {
  const parser = createParser({ timeoutMs: 20_000, heapMb: 256, growthMb: 512 })
  try {
    const { fields } = await parser.parseFile('.html', { path: 'clip.html', bytes: Buffer.from(html) })
    return textOf(fields.body).trim()
  } catch (error) {
    if (error instanceof SkippedFile) return ''
    throw error
  } finally {
    await parser.close()
  }
}
