/** The id of the task that a node belongs to. */
export const taskIdOf = (node: Element): string | null =>
  node.closest<HTMLElement>('[data-task]')?.dataset.task ?? null

/** The titles that can be focused, from top to bottom. */
export const visibleTitles = (list: HTMLElement): HTMLElement[] =>
  [...list.querySelectorAll<HTMLElement>('.task-title')].filter((title) => title.checkVisibility())

/** The button of a task's due date; where it is not drawn, what holds the tasks. */
export const dueButtonOf = (list: HTMLElement, id: string): HTMLElement =>
  list.querySelector<HTMLElement>(`[data-task="${id}"] .task-due`) ?? list
