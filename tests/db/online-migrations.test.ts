// Migrations go forward only, and while a release is rolled out, the one before reads and writes the same schema: expand
// first, contract a release later (docs/scale.md). What a migration must not do, and what it may.

import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lintMigration, lintMigrations } from '../helpers/lint-migrations.ts'

const folder = 'lib/db/migrations'
const files = readdirSync(folder).sort()

/** Each migration with the beginning of its hash. Stores have run them, so one that landed is never edited. */
const landed: Record<string, string> = {
  '001_spaces_and_content.sql': '1bf2579948eb63b0',
  '002_agents_and_sign_in.sql': 'a2d2ee062c97cd26',
  '003_conversations.sql': 'ea27cbd5099da584',
  '004_changes_and_audit.sql': 'aa678b41b53f7c68',
  '005_search.sql': 'e720756fe5c62608',
  '006_imports_and_jobs.sql': '50ba2a4632bf5e48',
  '007_sources_and_secrets.sql': 'ba41c5d5987b002d',
  '008_mail.sql': '55863c04a6b506e8',
  '009_research_and_glance.sql': '5ee3fce93491be1d',
  '010_without_practice_drafts.sql': '0555828dfa9efacc',
  '011_mail_mailboxes.sql': '8f8196f9471fd4f5',
  '012_saves.sql': '9abb1ef61b1b0a31',
  '013_sandbox.sql': 'd9aa0a0b3daea0ed',
  '014_model_servers.sql': '32ce56af33d5d6a3',
  '015_owner_time_zone.sql': '4d9fb4b7e8d6334e',
  '016_model_unions.sql': '3fd667676300a861',
  '017_thinking.sql': '09fc8b8141a8553d',
  '018_imported_conversations.sql': '67fea99eb84edd10',
  '019_answer_versions.sql': '2a503704943efb02',
  '020_paths.sql': 'adddc6906e64039b',
  '021_whole_mail.sql': 'ea38898941e6ebd1',
  '022_glance_asks.sql': '38309cac38676ea1',
  '023_model_output_limit.sql': '66c161f80d5aa98b',
  '024_search.sql': '714aba4b43226263',
  '025_research_checks.sql': '41118ae0a1bb0eee',
  '026_conversation_labels.sql': '35577829ef3e4383',
  '027_text_reading.sql': 'a649622a7e8d81e4',
  '028_canvas_links.sql': '0b34a9d6c8b9aca4',
  '029_pending_calls.sql': 'c8d983acfd57b36e',
  '030_folders.sql': '7db001e9dc3045de',
  '031_routines.sql': '6ed98b14af02fe7a',
  '032_routine_events.sql': '499415b122c5e3ca',
  '033_conversation_attachments.sql': '11a915fd72ed927f',
  '034_folder_review.sql': '48cc36d44329ba82',
  '035_memory_pages.sql': '58e98f1bed7cc1c3',
  '036_agent_research.sql': '5bc015ac1e96db49',
  '037_research_settings.sql': 'f6c9270649b19338',
  '040_routine_ready.sql': '9b204d18a85fe641',
  '042_forwarded_turns.sql': 'fe8c315b084f0f77',
  '043_ready_routines.sql': 'c02c5b22008cdec9',
  '045_routine_requests.sql': '997c1967d865f5ff',
  '046_command_approvals.sql': 'e43cfa58594d47da',
  '047_folder_watched.sql': '68c3ca5bd3aa0842',
  '050_folder_moved_links.sql': '62bd030d7af9fdd0',
  '051_upload_dates.sql': '3cab52e9969ed04c',
  '052_redactions.sql': '9ed9f74131af77b2',
}

/** What is done in spite of a rule, with the reason. */
const exceptions: Record<string, string> = {}

test('no migration was edited after it landed', () => {
  const hashes = files.map((name) => [name, hash('sha256', readFileSync(join(folder, name))).slice(0, 16)])

  expect(Object.fromEntries(hashes)).toEqual(landed)
})

test('no migration locks or rewrites a large table, or drops what the release before reads', () => {
  const findings = lintMigrations(files.map((name) => join(folder, name)))

  expect(findings.map(({ file, rule }) => `${file} ${rule}`)).toEqual(Object.keys(exceptions).sort())
})

describe('the check refuses', () => {
  test.each([
    ['a dropped column', 'alter table pages drop column title;', 'ban-drop-column'],
    ['a dropped table', 'drop table pages;', 'ban-drop-table'],
    ['a renamed column', 'alter table pages rename column title to name;', 'renaming-column'],
    ['a renamed table', 'alter table pages rename to notes;', 'renaming-table'],
    ['another type', 'alter table pages alter column position type bigint;', 'changing-column-type'],
    [
      'a column that must be given',
      'alter table pages add column kind text not null;',
      'adding-required-field',
    ],
    [
      'a column that becomes not null',
      'alter table pages alter column kind set not null;',
      'adding-not-nullable-field',
    ],
    [
      'a foreign key that is checked at once',
      'alter table pages add constraint p foreign key (space_id) references spaces (id);',
      'adding-foreign-key-constraint',
    ],
    [
      'a constraint that is checked at once',
      "alter table pages add constraint c check (title <> '');",
      'constraint-missing-not-valid',
    ],
    [
      'a unique constraint',
      'alter table pages add constraint u unique (title);',
      'disallowed-unique-constraint',
    ],
    ['an index that blocks writes', 'create index p on pages (title);', 'require-concurrent-index-creation'],
    ['rows that are rewritten', "update pages set title = '';", 'changes-rows'],
    ['rows that go', 'delete from pages where title = $$x$$;', 'changes-rows'],
    ['a dropped function', 'drop function rank_chunks;', 'drops-what-is-used'],
    ['a dropped view', 'drop view mail_places;', 'drops-what-is-used'],
    ['a lock', 'lock table pages;', 'locks-table'],
  ])('%s', (_name, sql, rule) => {
    expect(lintMigration(sql)).toContain(rule)
  })
})

describe('the check lets pass', () => {
  test.each([
    ['a new table with an index', 'create table x (id uuid primary key); create index y on x (id);'],
    ['rows of a new table', "create table x (id uuid primary key, n text); update x set n = '';"],
    ['a column that may be empty', 'alter table pages add column kind text;'],
    ['a column with a constant default', "alter table pages add column kind text not null default 'note';"],
    [
      'a constraint that counts from now on',
      "alter table pages add constraint c check (title <> '') not valid;",
    ],
    [
      'a function in place of another',
      "create or replace function f() returns void language plpgsql as $$ begin update pages set title = ''; end $$;",
    ],
    ['words in a comment', '-- drop table pages;\ncreate view v as select 1 as one;'],
  ])('%s', (_name, sql) => {
    expect(lintMigration(sql)).toEqual([])
  })
})
