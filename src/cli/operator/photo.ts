/**
 * A photo next to its proof: the part of `strongroom receipts verify` that
 * reads a file of this machine.
 *
 * @module
 */
import { nativePrimitives } from "../../client/keys/native.ts";
import {
  type PhotoVerdict,
  verifyPhotoProof,
} from "../../client/documents/photo_proof.ts";
import { sealerOf } from "../../client/stream/sealer.ts";
import { OperatorFault } from "../../core/operator.ts";
import { reasonOf } from "../../core/reason.ts";
import type { PublishedKeys } from "../../crypto/receipt_chain.ts";
import type { ReceiptProof } from "../../crypto/receipt_proof.ts";
import { type OpenFile, openFile } from "../person/files/describing.ts";

/** Verifies a proof with its photo. Throws an {@link OperatorFault}. */
export async function verifyPhoto(
  proof: ReceiptProof,
  path: string,
  trusted: PublishedKeys,
): Promise<PhotoVerdict> {
  using opened = await openOrRefuse(path);
  const sealer = sealerOf(nativePrimitives);
  return await verifyPhotoProof(proof, opened.source, { trusted, sealer });
}

async function openOrRefuse(path: string): Promise<OpenFile> {
  try {
    return await openFile(path);
  } catch (error) {
    throw new OperatorFault(
      `the photo ${path} cannot be read (${reasonOf(error)})`,
    );
  }
}
