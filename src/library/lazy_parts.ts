/**
 * What a page loads when it is first asked for: taking files in, changing them,
 * accepting those of guests, ending albums, share links, and checking what the
 * server keeps. Most visits only look at photos.
 *
 * @module
 */
export { acceptWaiting } from "./sharing/accept.ts";
export { sealAhead, takeUp } from "./adding/background_upload.ts";
export {
  discardAlbum,
  takeOutOf,
  takeOwnAlong,
} from "./albums/album_ending.ts";
export { answerLosses } from "./care/replaced_losses.ts";
export { amendAsset } from "./adding/amend.ts";
export { keepAlbumKeys, leaveDeletedAlbums } from "./albums/deleted_albums.ts";
export { finishEdits, moveLinks } from "./care/editing_photo.ts";
export { confirmAssets, readBackAssets } from "./care/confirm.ts";
export { copyInto } from "./adding/copies.ts";
export { giveBack } from "./vault/kept_escrow.ts";
export {
  inbox,
  openWaiting,
  peekWaiting,
  refuseWaiting,
} from "./sharing/inbox.ts";
export { takeIn } from "./adding/upload.ts";
export {
  makeRequest,
  ownRequests,
  photoLinks,
} from "./sharing/upload_links.ts";
export { changeLink, endLink, makeLink } from "./sharing/link_changes.ts";
export { givenBy, noteLink } from "./sharing/link_notes.ts";
export { keepShareAt, ownShares, shareContents } from "./sharing/links.ts";
export { sweepReceipts } from "./care/receipts.ts";
export { reportLosses } from "./care/loss_report.ts";
export { takeAll } from "./adding/take_all.ts";
export { letGoOfDuplicates } from "./adding/duplicates.ts";
