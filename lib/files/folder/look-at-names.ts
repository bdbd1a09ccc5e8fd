// The names in a folder, and whether both sides are as the last pass left them, which found nothing to do: then this one would
// not either, and neither the pages nor what is known of the notes are read. What is compared is what is stored and what the
// disk says, not what anybody announced, so that a change without an event, one of another server, and a backup of either side
// that is put back are seen.

import { hash } from 'node:crypto'
import { createFolderPagesRepo } from '../../db/repos/folder_pages.ts'
import { createFolderEntriesRepo, createFoldersRepo } from '../../db/repos/folders.ts'
import { hashOf } from '../vault/note-bytes.ts'
import { describeTraces } from './disk/agent-traces.ts'
import { readRules } from './disk/read-rules.ts'
import { digestScan, type Scan, scanFolder } from './disk/scan.ts'
import type { Pass } from './folder-deps.ts'
import { isReadingAll } from './look-at-files.ts'
import { type IgnoreRules, readIgnoreRules } from './plan/ignore-rules.ts'
import type { NotePlan } from './plan/plan-folder.ts'

/** The names in a folder, and the rules by which they were looked at. */
export type Names = { rules: IgnoreRules; rulesHash: string; scan: Scan }

export async function lookAtNames(pass: Pass): Promise<Names> {
  const text = await readRules(pass)
  const rules = readIgnoreRules(text)
  const scan = await scanFolder(pass.disk, rules)
  await noteAgents(pass, scan)
  return { rules, rulesHash: hashOf(text), scan }
}

async function noteAgents({ database, folder }: Pass, { traces }: Scan): Promise<void> {
  const agents = describeTraces(traces)
  if (agents.join() === folder.agents.join()) return
  await createFoldersRepo(database).update(folder.id, { agents })
  folder.agents = agents
}

/** A digest of all that a plan depends on, made before any of it is read: what changes meanwhile is then another state. */
export async function digestState({ database, folder }: Pass, { scan, rulesHash }: Names): Promise<string> {
  const { id, space_id, review, joined } = folder
  const state = [
    digestScan(scan),
    await createFolderPagesRepo(database, space_id).digest(),
    await createFolderEntriesRepo(database, id).digest(),
    ...[rulesHash, review, joined],
  ]
  return hash('sha256', JSON.stringify(state))
}

/** Not while files are to be read whatever their state, or writes are not settled. */
export const isAtRest = (pass: Pass, state: string): boolean =>
  pass.memory.restsAt === state &&
  !isReadingAll(pass) &&
  !pass.memory.owesDeletions &&
  pass.urgent.size === 0 &&
  pass.unsettledPaths.size === 0

/** Whether nothing can become due by time alone: nothing is missing, unread or put off. `pass`: when all else is done. */
export const comesToRest = (pass: Pass, notes: readonly NotePlan[], { copies }: Scan): boolean =>
  pass.held.length === 0 && copies.size === 0 && notes.every(({ step }) => step?.do !== 'wait')
