/**
 * What a page loads when it is first asked for: taking files in, changing them,
 * accepting those of guests, ending albums, and share links. Most visits only
 * look at photos.
 *
 * @module
 */
export { acceptWaiting } from "./accept.ts";
export { finishAccepted } from "./finish_accepted.ts";
export { discardAlbum, takeOutOf } from "./album_ending.ts";
export { amendAsset } from "./amend.ts";
export { copyInto } from "./copies.ts";
export { takeIn } from "./intake.ts";
export {
  changeShare,
  ownShares,
  revokeShare,
  shareAssets,
  shareContents,
} from "./links.ts";
export { takeAll } from "./take_all.ts";
