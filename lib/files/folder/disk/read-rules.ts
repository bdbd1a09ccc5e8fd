import { codeOf, type Disk } from './disk.ts'

/** The text of `.voidignore`. */
export async function readRules({ disk }: { disk: Disk }): Promise<string> {
  try {
    return Buffer.from((await disk.read('.voidignore')).bytes).toString()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}
