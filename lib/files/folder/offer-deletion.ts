// A change outweighed a deletion: what was deleted is back, and the deletion is offered as a draft.

import { AppError } from '../../core/errors.ts'
import { enterAsFolder } from './folder-agent.ts'
import type { Pass } from './folder-deps.ts'

/** `where`: the side on which it was deleted. */
export async function offerDeletion(
  pass: Pass,
  { page_id, path, where }: { page_id: string; path: string; where: 'folder' | 'Void' },
): Promise<void> {
  const changed = where === 'folder' ? 'its page changed' : 'it changed in the folder'
  try {
    await pass.proposeChange(await enterAsFolder(pass.database), {
      space_id: pass.folder.space_id,
      entity_type: 'page',
      entity_id: page_id,
      action: 'delete',
      reason: `${path} was deleted in ${where === 'folder' ? 'the folder' : 'Void'} while ${changed}, so it is back. Approve to delete it after all.`,
      turn: null,
      tool_use_id: null,
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    pass.logger.info({ err: error, path }, 'folder: deletion not offered')
  }
}
