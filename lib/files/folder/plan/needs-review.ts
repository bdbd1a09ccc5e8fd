// Which changes of files wait for the owner as drafts, in a folder with review. Pure.

import { isAtPath } from '../../../core/wildcards.ts'
import type { NotePlan } from './plan-folder.ts'

export type ReviewTerms = {
  /** `others`: but for what is at a path of the owner’s own words. */
  review: 'off' | 'others' | 'all'
  /** Patterns of those paths. */
  own: readonly string[]
  /** The owner has said that files which are gone are to go. */
  deletes: boolean
}

/** True for what the folder would change in the Space. */
export function needsReview(plan: NotePlan, { review, own, deletes }: ReviewTerms): boolean {
  if (review === 'off' || !isFromFolder(plan)) return false
  if (deletes && plan.step?.do === 'delete') return false
  if (review === 'all') return true
  const paths = [plan.entry?.path, plan.file?.path].filter((path) => path !== undefined)
  return !paths.every((path) => own.some((pattern) => isAtPath(pattern, path)))
}

function isFromFolder({ move, step }: NotePlan): boolean {
  if (move) return move.side === 'page'
  switch (step.do) {
    case 'copy':
      return step.to === 'page'
    case 'delete':
      return step.from === 'page'
    default:
      return step.do === 'merge' || step.do === 'separate'
  }
}

/** What waits as a draft: where the file was, and a hash of its text; null: it was gone. */
type Drafted = { review_path: string | null; waiting_file: string | null }

/** Whether the file is still as it was when its change was drafted. False if none is. */
export function isAsDrafted({ review_path, waiting_file }: Drafted, { file }: NotePlan): boolean {
  if (review_path === null) return false
  if (waiting_file === null) return file === null
  return file?.path === review_path && file.side.is === 'text' && file.side.text === waiting_file
}
