/**
 * A thread that seals files for the vault. A page starts it, because a shared
 * thread cannot, and hands its port to the vault.
 *
 * @module
 */
import "../../browser.ts";
import { sealerOf } from "../../../client/stream/sealer.ts";
import {
  serveSealingOn,
  type WorkerScope,
} from "../../../client/stream/threads/sealing_serving.ts";
import { sodiumPrimitives } from "./sodium.ts";

declare const self: WorkerScope;

serveSealingOn(self, sealerOf(await sodiumPrimitives()));
