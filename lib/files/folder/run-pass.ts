// One look at a folder and at its Space, and what is done so that both hold the same. What cannot be done now is done by a
// later pass: nothing that a pass leaves half done depends on another one running soon.

import { createFolderLogRepo } from '../../db/repos/folder_log.ts'
import { createFolderEntriesRepo, createFoldersRepo, type FolderEntry } from '../../db/repos/folders.ts'
import { emptyText } from '../vault/note-bytes.ts'
import { applyToFile, lookAtKept, settleIntents } from './apply-to-files.ts'
import { applyToPages } from './apply-to-pages.ts'
import { codeOf, isOfDisk } from './disk/disk.ts'
import type { Held, Scan } from './disk/scan.ts'
import { draftChange, withdrawDraft } from './draft-change.ts'
import { enterFolder, nextGeneration } from './enter-folder.ts'
import type { Pass } from './folder-deps.ts'
import { entryOf, type Task } from './folder-task.ts'
import { type FilesLook, lookAtFiles } from './look-at-files.ts'
import { comesToRest, digestState, isAtRest, lookAtNames, type Names } from './look-at-names.ts'
import { isIgnored, lookAtPages, type PagesLook } from './look-at-pages.ts'
import { offerDeletions } from './merge-note.ts'
import { offerCopies } from './offer-copies.ts'
import { offerLinks } from './offer-links.ts'
import { loadReviewTerms, type Parted, partReviews } from './part-reviews.ts'
import { listResting, noteTurn } from './plan/back-and-forth.ts'
import { deletionBrake } from './plan/deletion-brake.ts'
import type { Entry } from './plan/match-notes.ts'
import { type NotePlan, planFolder } from './plan/plan-folder.ts'
import { settleDecided } from './settle-drafts.ts'

export type PassResult = {
  /** Something was done: there may be more to do. */
  applied: number
  /** Something has to be looked at again soon. */
  unsettled: boolean
  /** As of `FilesLook`. */
  changed: readonly string[]
  /** Folders to watch. */
  folders: ReadonlySet<string>
}

const missingMs = 60_000
const hourMs = 3_600_000
const maxHeldListed = 200
const nothing: PassResult = { applied: 0, unsettled: false, changed: [], folders: new Set() }

/** Rejects only if the database cannot be reached; what is wrong with the folder is its `problem`. */
export async function runPass(pass: Pass): Promise<PassResult> {
  const { database, folder, now } = pass
  const repo = createFoldersRepo(database)
  try {
    const refusal = await enterFolder(pass)
    if (refusal) {
      await repo.update(folder.id, { problem: refusal.problem, paused: folder.paused || refusal.pause })
      return nothing
    }
    await settleIntents(pass)
    await lookAtKept(pass)
    await settleDecided(pass)
    const { held, problem, ...result } = await work(pass)
    const isInStep = result.applied === 0 && !result.unsettled && problem === null
    await repo.update(folder.id, {
      problem,
      ...(held && { held: held.slice(0, maxHeldListed) }),
      ...(problem !== null && { paused: true }),
      ...(isInStep && { joined: true }),
      last_at: now().toISOString(),
    })
    return result
  } catch (error) {
    if (!isOfDisk(error)) throw error
    await repo.update(folder.id, { problem: `The folder cannot be written or read (${codeOf(error)}).` })
    return nothing
  }
}

const changesText: ReadonlySet<string> = new Set(['copy', 'merge', 'separate'])

type State = { scan: Scan; files: FilesLook; pages: PagesLook; entries: Map<string, FolderEntry> }

/** `held`: undefined where they are those of the last pass. */
type Work = PassResult & { held?: Held[]; problem: string | null }

async function work(pass: Pass): Promise<Work> {
  const names = await lookAtNames(pass)
  const state = await digestState(pass, names)
  if (isAtRest(pass, state)) {
    const links = await offerLinks(pass)
    return { ...nothing, applied: links.offered, folders: names.scan.listed, problem: null }
  }
  pass.memory.restsAt = null
  const { isDone, ...result } = await bringInStep(pass, names)
  if (isDone) pass.memory.restsAt = state
  return result
}

async function bringInStep(pass: Pass, names: Names): Promise<Work & { isDone: boolean }> {
  const state = await look(pass, names)
  const { scan, files, pages } = state
  const { notes, twins } = plan(pass, state)
  const resting = listResting(pass.memory.backAndForth, pass.clock())
  const tasks = notes
    .map((note) => taskOf(state, note))
    .filter(({ path, plan }) => !resting.has(path) || plan.step === null || !changesText.has(plan.step.do))
  const { drafts, withdrawals, rest } = partReviews(tasks, await loadReviewTerms(pass))
  const stop = await findStop(pass, state, [...drafts, ...rest])
  const isWanted = ({ plan }: Task) => stop === null || plan.step?.do !== 'delete'
  await refresh(pass, state, notes)
  const applied = await apply(pass, {
    drafts: drafts.filter(isWanted),
    withdrawals,
    rest: rest.filter(isWanted),
  })
  const deletions = await offerDeletions(pass)
  const copies = await offerCopies(pass, scan, applied === 0 ? [...state.entries.values()] : null)
  const links = await offerLinks(pass)
  const held = [
    ...pass.held,
    ...scan.held,
    ...files.held,
    ...pages.held,
    ...twins.map(({ path }) => ({ path, reason: 'differs from another file by case or accents alone' })),
    ...[...resting].map((path) => ({ path, reason: 'is changed back and forth by two programs' })),
    ...copies.held,
    ...notes.flatMap((note) =>
      note.step !== null && note.isBlocked
        ? [{ path: note.page?.path ?? '', reason: 'another file has its path' }]
        : [],
    ),
  ]
  await createFoldersRepo(pass.database).update(pass.folder.id, { files: scan.files.size })
  const isDone = drafts.length + withdrawals.length + rest.length + resting.size === 0
  return {
    isDone: isDone && comesToRest(pass, notes, scan),
    applied: applied + deletions.offered + copies.offered + links.offered,
    unsettled: files.unsettled || copies.unsettled,
    changed: files.changed,
    folders: scan.listed,
    held,
    problem: stop,
  }
}

async function look(pass: Pass, { rules, rulesHash, scan }: Names): Promise<State> {
  const { database, folder } = pass
  const repo = createFolderEntriesRepo(database, folder.id)
  let entries = await repo.list()
  if (folder.rules_hash !== rulesHash) {
    // What is no longer looked at stays where it is, on both sides.
    const left = new Set(entries.filter(({ path }) => isIgnored(path, rules)).map(({ id }) => id))
    await repo.remove([...left])
    await createFoldersRepo(database).update(folder.id, { rules_hash: rulesHash })
    entries = entries.filter(({ id }) => !left.has(id))
  }
  const pages = await lookAtPages(pass, rules, entries)
  // A page that is neither there nor in the trash was not deleted: its file is as one that is new.
  const there = new Set([...pages.trashed, ...pages.pages.map(({ id }) => id)])
  const isOrphan = ({ page_id }: FolderEntry) => page_id !== null && !there.has(page_id)
  await repo.remove(entries.filter(isOrphan).map(({ id }) => id))
  entries = entries.filter((entry) => !isOrphan(entry))
  const files = await lookAtFiles(pass, scan, entries)
  return { scan, files, pages, entries: new Map(entries.map((entry) => [entry.id, entry])) }
}

function plan(pass: Pass, { files, pages, entries }: State) {
  const { memory, clock } = pass
  const present = new Set(files.files.map(({ path }) => path))
  const planned = [...entries.values()].map((entry): Entry => {
    // A file that was never seen since it was written has not been deleted.
    const isLost = entry.fingerprint === '' && !present.has(entry.path)
    return {
      id: entry.id,
      path: entry.path,
      page_id: entry.page_id,
      identity: entry.identity,
      base: isLost ? null : baseOf(entry),
    }
  })
  const result = planFolder({
    entries: planned,
    files: files.files,
    pages: pages.pages,
    emptyText,
    leads: 'file',
    missing({ id }) {
      const since = memory.missing.get(id) ?? clock()
      memory.missing.set(id, since)
      return clock() - since >= missingMs ? { is: 'absent' } : { is: 'unknown' }
    },
  })
  for (const { entry, file } of result.notes) if (entry && file) memory.missing.delete(entry.id)
  for (const id of memory.missing.keys()) if (!entries.has(id)) memory.missing.delete(id)
  return result
}

const baseOf = ({ base_text: text, waiting_file: file, waiting_page: page }: FolderEntry): Entry['base'] => ({
  text,
  waiting: file === null || page === null ? null : { file, page },
})

function taskOf({ files, pages, entries }: State, plan: NotePlan): Task {
  const entry = plan.entry ? (entries.get(plan.entry.id) ?? null) : null
  const path = plan.file?.path ?? plan.page?.path ?? entry!.path
  const page = plan.page ? pages.looks.get(plan.page.id) : undefined
  return {
    plan,
    path,
    entry,
    file: plan.file ? (files.looks.get(plan.file.path) ?? null) : null,
    page: plan.page && page ? { id: plan.page.id, ...page } : null,
    isTrashed: entry?.page_id != null && pages.trashed.has(entry.page_id),
  }
}

/** Why deletions need the owner's word. */
async function findStop(
  { database, folder, now }: Pass,
  { entries }: State,
  tasks: readonly Task[],
): Promise<string | null> {
  const gone = tasks.flatMap(({ plan, entry }) =>
    plan.step?.do === 'delete' && plan.step.from === 'page' ? [entry!.path] : [],
  )
  const isWanted = folder.deletions_until !== null && Date.parse(folder.deletions_until) > now().getTime()
  if (gone.length === 0 || isWanted) return null
  const recent = await createFolderLogRepo(database, folder.id).listDeleted(
    new Date(now().getTime() - hourMs),
  )
  return deletionBrake({ known: [...entries.values()].map(({ path }) => path), gone, recent })
}

/** Moves first: what they leave and take is there for the others. */
async function apply(pass: Pass, { drafts, withdrawals, rest: tasks }: Parted): Promise<number> {
  if (drafts.length + withdrawals.length + tasks.length === 0) return 0
  await nextGeneration(pass)
  let applied = 0
  for (const { entry } of withdrawals) applied += Number(await withdrawDraft(pass, entry))
  for (const task of drafts) applied += Number(await draftChange(pass, task))
  for (const { path, plan, entry } of tasks)
    if (plan.step?.do === 'copy') {
      const { to, text } = plan.step
      noteTurn(pass.memory.backAndForth, path, { to, text, over: entry?.base_text ?? null }, pass.clock())
    }
  const ofFiles = tasks.filter(isOfFile)
  const ofPages = tasks.filter((task) => !isOfFile(task))
  const isMove = ({ plan }: Task) => plan.move !== null
  for (const task of ofFiles.filter(isMove)) applied += await tryFile(pass, task)
  applied += await applyToPages(pass, [...ofPages.filter(isMove), ...ofPages.filter((task) => !isMove(task))])
  for (const task of ofFiles.filter((task) => !isMove(task))) applied += await tryFile(pass, task)
  return applied
}

/** Codes that are about the whole disk. */
const ofWholeDisk = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'ENOTCONN', 'ESTALE', 'EMFILE', 'ENFILE'])

async function tryFile(pass: Pass, task: Task): Promise<number> {
  try {
    return Number(await applyToFile(pass, task))
  } catch (error) {
    if (!isOfDisk(error) || ofWholeDisk.has(codeOf(error))) throw error
    pass.held.push({ path: task.path, reason: `cannot be written (${codeOf(error)})` })
    return 0
  }
}

/** Notes in step whose file or page changed in something else than its text. */
async function refresh(pass: Pass, state: State, notes: readonly NotePlan[]): Promise<void> {
  const changed = notes.flatMap((note): FolderEntry[] => {
    if (note.step === null || note.step.do !== 'nothing' || note.isBlocked) return []
    const task = taskOf(state, note)
    const { entry, file, page } = task
    if (!entry || !file || !page || entry.review_path !== null) return []
    const isSame =
      entry.fingerprint === file.fingerprint &&
      entry.file_bytes === file.bytes &&
      entry.page_version === page.version
    const { waiting_file, waiting_page, pending_change_id } = entry
    return isSame ? [] : [entryOf(task, { waiting_file, waiting_page, pending_change_id })]
  })
  const repo = createFolderEntriesRepo(pass.database, pass.folder.id)
  for (let from = 0; from < changed.length; from += saveAtOnce)
    await repo.save(...changed.slice(from, from + saveAtOnce))
}

const saveAtOnce = 100

function isOfFile({ plan }: Task): boolean {
  if (plan.move) return plan.move.side === 'file'
  const { step } = plan
  return (step.do === 'copy' && step.to === 'file') || (step.do === 'delete' && step.from === 'file')
}
