import type { App } from '../app.ts'

/** Opens the list of Spaces with the focus in the field for the name of a new one. */
export async function startSpace({ navigate }: Pick<App, 'navigate'>): Promise<void> {
  await navigate('/spaces')
  document.querySelector<HTMLElement>('#new-space')?.focus()
}
