// What of a plan waits for the owner: changes to draft, drafts that no longer fit their files, and the rest.

import { createTrustedOriginsRepo } from '../../db/repos/trusted_origins.ts'
import type { Pass } from './folder-deps.ts'
import type { Task } from './folder-task.ts'
import { isAsDrafted, needsReview, type ReviewTerms } from './plan/needs-review.ts'

export type Parted = {
  drafts: Task[]
  withdrawals: Task[]
  rest: Task[]
}

/** Until both sides were once in step, what the folder holds is no change. */
export async function loadReviewTerms({ database, folder, now }: Pass): Promise<ReviewTerms> {
  const review = folder.joined ? folder.review : 'off'
  const own =
    review === 'others' ? await createTrustedOriginsRepo(database).listOwnPaths(folder.space_id) : []
  const until = folder.deletions_until
  return { review, own, deletes: until !== null && Date.parse(until) > now().getTime() }
}

/** `tasks`: of all notes, those with nothing to do included. */
export function partReviews(tasks: readonly Task[], terms: ReviewTerms): Parted {
  const parted: Parted = { drafts: [], withdrawals: [], rest: [] }
  for (const task of tasks) {
    const { plan, entry } = task
    if (plan.step?.do === 'wait' || plan.step?.do === 'hold') continue
    const isDrafted = entry !== null && entry.review_path !== null
    if (isDrafted && isAsDrafted(entry, plan)) continue
    if (needsReview(plan, terms)) parted.drafts.push(task)
    else if (isDrafted) parted.withdrawals.push(task)
    else if (plan.step?.do !== 'nothing') parted.rest.push(task)
  }
  return parted
}
