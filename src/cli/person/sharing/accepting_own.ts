/**
 * Accepting what came by a person's own upload links, such as from their
 * telephone.
 *
 * @module
 */
import { counted } from "../../../core/sizes.ts";
import {
  type AcceptedMine,
  acceptMine,
} from "../../../library/sharing/accept_mine.ts";
import { printable } from "../../phrasing.ts";
import { ODDITIES } from "../files/describing.ts";
import { complaintOf } from "../faults.ts";
import type { CliContext } from "../cli_context.ts";
import { derivativesOf } from "../files/pictures.ts";

/** Accepts all of it, and tells of each file. */
export async function acceptOwn(cli: CliContext): Promise<AcceptedMine> {
  const { library, signal, tell, warn } = cli;
  const tally = await acceptMine(library, {
    signal,
    async picture(source, mime, name) {
      const derivatives = await derivativesOf(source, mime);
      if (derivatives === undefined) {
        warn(`${ODDITIES.unpictured}: ${printable(name)}`);
      }
      return { derivatives: derivatives ?? [] };
    },
    onFile({ uploadId, file }, outcome) {
      const name = printable(file?.name ?? uploadId);
      const event = { event: "accepted", id: uploadId, name: file?.name };
      if (outcome.what === "failed") {
        const why = complaintOf(outcome.error)?.text ?? String(outcome.error);
        tell({ ...event, event: "not_accepted", why }, "");
        warn(`cannot be accepted: ${name}: ${printable(why)}`);
        return;
      }
      const { what } = outcome;
      tell(
        {
          ...event,
          outcome: what,
          ...("row" in outcome && { asset_id: outcome.row.id }),
        },
        what === "kept"
          ? `accepted ${name}`
          : what === "trashed"
          ? `left out, because you deleted it: ${name}`
          : "",
      );
    },
  });
  const { kept, known, trashed, failed } = tally;
  if (kept + known + trashed + failed > 0) {
    tell(
      { event: "accepted_own", ...tally },
      [
        `${counted(kept, "file")} accepted`,
        ...known > 0 ? [`${counted(known, "file")} known`] : [],
        ...failed > 0 ? [`${counted(failed, "file")} FAILED`] : [],
      ].join(", "),
    );
  }
  return tally;
}
