import { ApiError } from '../api/api.ts'
import type { LoadContext, OpenView, View } from '../app/view.ts'
import type { RouteMatch } from '../routes.ts'
import { errorView, noSpaceView, notFoundView } from '../views/error.ts'

/** Loads the view of a route, or the error view. */
export async function openView(match: RouteMatch | null, context: LoadContext): Promise<OpenView> {
  return await (await pickView(match, context)).open(context).catch((error: unknown) => {
    const missing = error instanceof ApiError && error.status === 404
    return (missing ? notFoundView : errorView(error)).open(context)
  })
}

async function pickView(match: RouteMatch | null, context: LoadContext): Promise<View> {
  if (!match) return notFoundView
  if (match.params.slug && !context.space) return noSpaceView
  try {
    return (await match.route.load()).view
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
