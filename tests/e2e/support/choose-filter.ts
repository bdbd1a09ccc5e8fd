import type { Page } from 'playwright-core'

/** Opens the menu of a filter and chooses what has that name; “Any” for none. */
export async function chooseFilter(page: Page, id: string, name: string): Promise<void> {
  await page.click(`#${id}`)
  await page.getByRole('menuitemradio', { name, exact: true }).click()
}
