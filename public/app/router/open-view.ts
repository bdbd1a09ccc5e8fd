import { ApiError } from '../api/api.ts'
import type { LoadContext, OpenView, View } from '../view.ts'
import { errorView, noSpaceView, notFoundView } from './error-views.ts'
import type { Pattern, RouteMatch } from './routes.ts'

/** The view of each address; each is a chunk of its own. */
export type LoadView = Readonly<Record<Pattern, () => Promise<{ view: View }>>>

/** Loads the view of a route, or the error view. */
export async function openView(
  match: RouteMatch | null,
  context: LoadContext,
  loadView: LoadView,
): Promise<OpenView> {
  return await (await pickView(match, context, loadView)).open(context).catch((error: unknown) => {
    const missing = error instanceof ApiError && error.status === 404
    return (missing ? notFoundView : errorView(error)).open(context)
  })
}

async function pickView(match: RouteMatch | null, context: LoadContext, loadView: LoadView): Promise<View> {
  if (!match) return notFoundView
  if (match.params.slug && !context.space) return noSpaceView
  try {
    return (await loadView[match.pattern]()).view
  } catch {
    return errorView(
      new ApiError(
        0,
        'not_fetched',
        'This part of the app could not be loaded. Check the connection, then try again.',
      ),
    )
  }
}
