// While a release is rolled out, the one before reads and writes the same schema: expand first, contract a release later
// (docs/scale.md). What a migration must not do, and what it may.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lastRelease } from '../helpers/last-release.ts'
import { lintMigration, lintMigrations } from '../helpers/lint-migrations.ts'

const folder = 'lib/db/migrations'
/** What is done in spite of a rule, with the reason. */
const exceptions: Record<string, string> = {
  '080_source_docs_by_hash.sql require-concurrent-index-creation':
    'source_docs has a row for each file that was attached or imported; writes to it wait for seconds at 100,000.',
  '090_imported_mail.sql changes-rows':
    'Only rows of imports that joined messages, which few stores have; nothing reads the former word.',
  '090_imported_mail.sql require-concurrent-index-creation':
    'Mail waits for its index; following an account and importing are tried again by themselves.',
  '116_rank_where_read.sql require-concurrent-index-creation':
    'It holds messages alone: building it is one look through passages, a second at 100,000.',
  '120_task_reminders.sql require-concurrent-index-creation':
    'No task has a reminder yet: it is one look through tasks, of which there are few.',
  '121_conversations_by_activity.sql require-concurrent-index-creation':
    'Building it takes a fifth of a second at 100,000 conversations.',
  '122_search_by_space.sql drops-what-is-used':
    'Indexes: the ranking of the release before is replaced with them, and what else it asks finds its rows by the Space.',
  '122_search_by_space.sql require-concurrent-index-creation':
    'Indexing waits for it in the background; a large store builds it by hand before the release (docs/scale.md).',
  '122_search_by_space.sql require-concurrent-index-deletion':
    'They are dropped with the ranking that read them.',
  '125_pages_in_order.sql require-concurrent-index-creation':
    'Building them takes two tenths of a second at 30,000 pages; a large store builds them by hand (docs/scale.md).',
  '127_conversations_fallen_quiet.sql require-concurrent-index-creation':
    'Building it takes a tenth of a second at 100,000 conversations.',
  '126_addresses_of_senders.sql require-concurrent-index-creation':
    'Mail waits for its index; following an account and importing are tried again by themselves.',
  '129_inbox_in_order.sql require-concurrent-index-creation':
    'Building them takes two tenths of a second at 50,000 drafts.',
  '128_pages_by_title.sql require-concurrent-index-creation':
    'As 125: two tenths of a second at 30,000 pages; a large store builds it by hand (docs/scale.md).',
  '131_words_but_of_messages.sql drops-what-is-used':
    'An index: what the release before reads by it, it finds by the Space, or by the new one.',
  '131_words_but_of_messages.sql require-concurrent-index-creation':
    'As 122: indexing waits for it in the background; a large store builds it by hand before the release (docs/scale.md).',
  '131_words_but_of_messages.sql require-concurrent-index-deletion':
    'It is dropped once the one in its place is there.',
}

const isNew = (name: string) => /^\d+_.*\.sql$/.test(name) && Number(name.slice(0, 3)) > lastRelease.migration

test('no migration since the last release locks or rewrites a large table, or drops what the release before reads', () => {
  const files = readdirSync(folder).filter(isNew).sort()
  expect(files.length).toBeGreaterThan(0)

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
