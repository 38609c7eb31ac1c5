/**
 * New devices of Ada's, which have nothing stored: one that another device
 * enrolls, and one of which the phrase is all that is known.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  adoptJoined,
  enrollDevice,
  joinAccount,
  type Library,
  openLibrary,
  recoverVault,
} from "../../src/library/mod.ts";
import type { AlbumCast } from "./album_cast.ts";
import { deviceOf, enter } from "./library.ts";

/** The phrase that opens Ada's keys. */
export const PHRASE = "grandmother's apple cake";

/** A pause of a turn: both sides of an enrollment wait for each other. */
const wait = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Another device that joins by the link that the first one shows. */
export async function joined(
  { wire, ada }: Pick<AlbumCast, "wire" | "ada">,
  name: string,
): Promise<Library> {
  // Which of two codes is the newer one is told by the time alone.
  wire.app.clock.now += 1_000;
  const device = deviceOf(wire, name);
  let link: Promise<Library> | undefined;
  const join = async (shown: string): Promise<Library> => {
    const { entrance } = device;
    const platform = { ...device.platform, wait };
    const all = await joinAccount(platform, {
      link: shown,
      device: entrance.device,
      compare: () => Promise.resolve(false),
    });
    const session = await enter(
      { ...device, entrance: { ...entrance, device: all.device } },
      "ada",
    );
    const vault = await adoptJoined(session, all);
    return await openLibrary(vault, device.store);
  };
  const { session } = ada.vault;
  const platform = { ...session.platform, wait };
  await enrollDevice({ ...ada.vault, session: { ...session, platform } }, {
    trust: ada.trust,
    show: (shown) => {
      link = join(shown.link);
    },
    compare: () => Promise.resolve(false),
  });
  assert.ok(link !== undefined);
  return await link;
}

/** Another device, of which the words are all that is known. */
export async function recovered(
  { wire }: Pick<AlbumCast, "wire">,
  name: string,
): Promise<Library> {
  const device = deviceOf(wire, name);
  const vault = await recoverVault(await enter(device, "ada"), PHRASE);
  return await openLibrary(vault, device.store);
}
