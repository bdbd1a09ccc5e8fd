import type { Card } from '../../lib/contract/changes/card.ts'
import type { Task } from '../../lib/contract/entities.ts'
import type { DueTask, Reminders } from '../../lib/contract/space/home.ts'
import { instantAt } from '../../lib/core/schedule/instants.ts'
import { ApiError, messageOf } from '../app/api/api.ts'
import { gathered } from '../app/api/live.ts'
import type { AppContext } from '../app/app.ts'
import { isNotifying, notify } from '../app/storage/notify.ts'
import { iconButton } from '../ui/components/icon.ts'
import { el } from '../ui/dom.ts'
import { addDays, exactTime, localDay, ownerZone } from '../ui/time.ts'
import { entityHref } from '../ui/words/addresses.ts'
import { isPane } from './desk/pane-link.ts'

/** What comes by itself is shown by the window, not by a part of it. */
export function startNotices(context: AppContext): void {
  if (isPane()) return
  startDraftNotices(context)
  startReminders(context)
}

/** Drafts that come within this time are one notification. */
const gatherMs = 2000

/** Notifies of drafts that wait for the owner, while another window is in use. */
function startDraftNotices({ app, signal }: AppContext): void {
  let waiting: string[] = []

  app.live.on(({ type, data }) => {
    if (type !== 'change' || data.status !== 'pending' || data.undone || !isNotifying()) return
    if (waiting.length === 0) setTimeout(tell, gatherMs)
    if (!waiting.includes(data.id)) waiting.push(data.id)
  }, signal)

  async function tell(): Promise<void> {
    const [first, ...more] = waiting
    waiting = []
    if (!first || signal.aborted) return
    if (more.length > 0) {
      const title = `${more.length + 1} new drafts`
      return notify({
        id: first,
        title,
        body: 'Open the Inbox to review them.',
        open: () => app.navigate('/inbox'),
      })
    }
    const change = await app.api.get<{ card: Card }>(`/api/pending-changes/${first}`).catch(() => null)
    if (change?.card.status !== 'pending') return
    const body = `${change.card.summary} · ${change.card.space.name}`
    notify({ id: first, title: 'New draft', body, open: () => app.navigate(`/inbox/${first}`) })
  }
}

// Tasks whose reminder has come, shown until each is done, put off or dismissed: in this window, and as notifications.

const hourMs = 3_600_000

/** Shown at once; the others follow as these go. */
const maxShown = 3

function startReminders({ app, signal }: AppContext): void {
  const list = el('section', { class: 'reminders', 'aria-label': 'Reminders', hidden: true })
  const notifiedTasks = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let requests = 0
  // With the messages, which then stand below them.
  const messages = document.querySelector('.toasts') ?? document.body
  messages.prepend(list)
  signal.addEventListener('abort', () => clearTimeout(timer))
  const news = gathered(check)
  app.live.on((event) => {
    const isTask = event.type === 'entity' && event.data.kind === 'task'
    if (isTask || event.type === 'space' || (event.type === 'hello' && !event.data.resumed)) news()
  }, signal)
  // A laptop that slept has missed the time.
  document.addEventListener('visibilitychange', () => document.hidden || check(), { signal })
  void check()

  async function check(): Promise<void> {
    requests += 1
    const mine = requests
    const due = await app.api.get<Reminders>('/api/reminders').catch(() => null)
    if (mine !== requests || signal.aborted) return
    clearTimeout(timer)
    const wait = due?.next_at ? Date.parse(due.next_at) - Date.now() : hourMs
    timer = setTimeout(check, Math.min(Math.max(wait, 0) + 500, hourMs))
    if (due) show(due)
  }

  function show({ tasks, count }: Reminders): void {
    for (const task of tasks) tell(task)
    const visible = tasks.slice(0, maxShown)
    list.hidden = visible.length === 0
    list.replaceChildren(
      ...visible.map((task) => renderReminder(task, change)),
      ...(count > visible.length ? [el('p', { class: 'dim small' }, `${count - visible.length} more`)] : []),
    )
  }

  function tell({ id, title, remind_at, space }: DueTask): void {
    const key = `${id} ${remind_at}`
    if (notifiedTasks.has(key)) return
    notifiedTasks.add(key)
    app.announce(`Reminder: ${title}`)
    notify({
      id: key,
      title,
      body: `Reminder · ${space.name}`,
      open: () => app.navigate(hrefOf(id, space.slug)),
    })
  }

  async function change({ id, version }: DueTask, fields: Partial<Task>): Promise<void> {
    try {
      await app.api.patch(`/api/tasks/${id}`, { ...fields, version })
    } catch (error) {
      // Changed or deleted meanwhile: what it is now is shown.
      const isOutdated = error instanceof ApiError && (error.status === 409 || error.status === 404)
      if (!isOutdated) app.toast(messageOf(error), { tone: 'problem' })
    }
    await check()
  }
}

type Change = (task: DueTask, fields: Partial<Task>) => void

function renderReminder(task: DueTask, change: Change): HTMLElement {
  const { id, title, remind_at, space } = task
  const action = (label: string, fields: () => Partial<Task>) =>
    el(
      'button',
      { class: 'button button-small', type: 'button', onclick: () => change(task, fields()) },
      label,
    )
  return el(
    'article',
    { class: 'reminder', 'aria-label': `Reminder: ${title}` },
    el(
      'p',
      { class: 'reminder-head' },
      el('a', { class: 'reminder-title', href: hrefOf(id, space.slug) }, title),
      el('span', { class: 'dim small' }, `${space.name} · ${exactTime(remind_at!)}`),
    ),
    iconButton('Dismiss', 'close', () => change(task, { remind_at: null })),
    el(
      'div',
      { class: 'reminder-actions' },
      action('Done', () => ({ status: 'done' })),
      action('In 1 hour', () => ({ remind_at: new Date(Date.now() + hourMs).toISOString() })),
      action('Tomorrow', () => ({ remind_at: tomorrow(new Date()).toISOString() })),
    ),
  )
}

const hrefOf = (id: string, slug: string): string => entityHref(slug, 'task', id)!

/** Nine o’clock of the day after. */
function tomorrow(now: Date): Date {
  return instantAt({ day: addDays(localDay(now), 1), time: '09:00:00' }, ownerZone())
}
