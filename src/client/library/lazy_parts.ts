/**
 * What a page loads when it is first asked for: taking files in, changing them,
 * accepting those of guests, ending albums, share links, and checking what the
 * server keeps. Most visits only look at photos.
 *
 * @module
 */
export { acceptWaiting } from "./accept.ts";
export { sealAhead, takeUp } from "./background_upload.ts";
export { discardAlbum, takeOutOf } from "./album_ending.ts";
export { answerLosses } from "./replaced_losses.ts";
export { amendAsset } from "./amend.ts";
export { confirmAssets, readBackAssets } from "./confirm.ts";
export { copyInto } from "./copies.ts";
export { giveBack } from "./kept_escrow.ts";
export { inbox, openWaiting, peekWaiting, refuseWaiting } from "./inbox.ts";
export { takeIn } from "./upload.ts";
export { forgetLink, noteLink } from "./link_notes.ts";
export {
  changeShare,
  keepShareAt,
  ownShares,
  revokeShare,
  shareAssets,
  shareContents,
} from "./links.ts";
export { sweepReceipts } from "./receipts.ts";
export { reportLosses } from "./loss_report.ts";
export { takeAll } from "./take_all.ts";
export { letGoOfDuplicates } from "./duplicates.ts";
