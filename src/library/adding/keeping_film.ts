/**
 * Putting a copy of a film next to the original, in its albums as well.
 *
 * @module
 */
import { ApiProblem } from "../../client/api/api.ts";
import type { Amendment } from "./amend.ts";
import { isStaleRevival } from "./asset_state.ts";
import type { FilmKind } from "../showing/films.ts";
import type { Library } from "../library.ts";
import type { LargeDerivative } from "./upload_types.ts";

/** A copy of a film to keep. */
interface NewFilmCopy extends LargeDerivative {
  readonly kind: FilmKind;
}

/**
 * Keeps it. Albums get it from there, without sending it again; one that its
 * server or owner refuses goes without. Throws what changing an asset throws.
 */
export async function keepFilm(
  library: Pick<Library, "amend" | "index" | "vault">,
  id: string,
  copy: NewFilmCopy,
  sending: Pick<Amendment, "onSent" | "signal"> = {},
): Promise<void> {
  const { index, vault } = library;
  const { userId } = vault.session;
  const keep = () => library.amend(id, { ...sending, derivatives: [copy] });
  const from = await keep().catch((error) => {
    // Someone wrote a caption while it was sent.
    if (isStaleRevival(error)) return keep();
    throw error;
  });
  const others = index.allByPlaintext(from.metadata?.sha256 ?? "").filter(
    (row) => row.id !== id && row.owner === userId && row.state === "live",
  );
  for (const other of others) {
    sending.signal?.throwIfAborted();
    try {
      await library.amend(other.id, { shared: { from, kinds: [copy.kind] } });
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
    }
  }
}
