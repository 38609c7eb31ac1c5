/** The page that checks the proof of a photo. */
import type { PhotoFault } from "../../../../client/photo_proof.ts";

export const prove = {
  title: "Check a proof",
  intro:
    "Drop a photo and its proof here. Your browser checks them and sends " +
    "nothing, so any server's page will do.",
  from:
    "Whoever has the photo in strongroom makes the proof, a file that ends " +
    "with .tlog-proof. On a computer, this saves it:",
  drop: "Drop to check",
  choose: "Choose photo and proof",
  photo: (name: string) => `Photo: ${name}`,
  proof: (name: string) => `Proof: ${name}`,
  needsPhoto: "Now add the photo.",
  needsProof: "Now add its proof, a file that ends with .tlog-proof.",
  checking: "Checking",
  holds: "The server signed for exactly this photo",
  holdsIf: "The server signed for exactly this photo, if the key is the " +
    "server's",
  keyHint: "Anybody can write a proof with a key of their own. Compare this " +
    "key with the one that the server publishes, or that somebody you trust " +
    "has saved.",
  refused: "This proves nothing",
  signedBy: "Signed by",
  withKey: "With the key",
  at: "Received",
  file: "Photo",
  log: "In the public log",
  entry: (index: number, size: number, origin: string) =>
    `entry ${index.toLocaleString("en")} of the ${
      size.toLocaleString("en")
    } in ${origin}`,
  seen: "Seen by",
  nobody: "No witness: the server may have shown others another log.",
  seenAt: (name: string, when: string) => `${name}, ${when}`,
  named: "The proof itself names these witnesses. Add the key of a witness " +
    "whom you believe, to count that one.",
  enough: "The witnesses whom you believe saw this log.",
  notEnough: "The witnesses whom you believe did not see this log.",
  pinned: "The server's key",
  pinnedHint: "If you know it: 64 digits and letters",
  witness: "A witness whom you believe",
  witnessHint: "The key that the witness's operator gave you",
  addWitness: "Count this witness",
  limitsTitle: "What this does not prove",
  limits: [
    "That the server still stores the photo.",
    "Who took the photo, or that it shows what it seems to.",
    "That the photo was not made much earlier.",
    "That the times are right: each is the clock of the one who signed.",
  ] as readonly string[],
  keyInside: "The proof has the key of this photo. Anyone who has the proof " +
    "and gets hold of the encrypted original can decrypt it, and nothing else.",
  unreadable: "This file could not be read. Choose it again.",
  faults: {
    unreadable: "The proof is cut off, was changed, or is another file.",
    other_photo: "This is not the photo that the proof is about, or one of " +
      "them was changed.",
    no_opening: "This proof is of a receipt alone and does not say for which " +
      "photo. Its author can make one that does: strongroom proof PHOTO",
    key_not_pinned: "The proof is not signed with the key that you entered, " +
      "nor with one that follows it.",
    not_in_log: "The receipt is not in the log that the proof shows.",
    checkpoint_unsigned: "The server's key did not sign the log that the " +
      "proof shows.",
    foreign_log: "The log in the proof is another server's.",
    key_unknown: "The receipt is signed with a key that the proof does not " +
      "have.",
    foreign_server: "The receipt is another server's.",
    signature_invalid: "The signature of the receipt is wrong.",
  } as Readonly<Partial<Record<PhotoFault, string>>>,
};
