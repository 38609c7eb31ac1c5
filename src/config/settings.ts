/**
 * Every setting, once: the groups, in the order of the manual.
 *
 * @module
 */
import type { Settings } from "../core/settings.ts";
import { LIMITS, LOG, MAP, NOTICES } from "./operation.ts";
import { ACCOUNTS, FEDERATION, OIDC, PUBLIC_LOGS } from "./people.ts";
import { PLACE } from "./place.ts";
import { BLOBS, REMOTE_BACKUP, STORAGE } from "./storage.ts";

/** The settings in groups, as the manual and `init` write them. */
export const GROUPS: readonly (readonly [title: string, settings: Settings])[] =
  [
    ["Where the server is reached", PLACE],
    ["What is stored, and for how long", STORAGE],
    ["An object store for blobs", BLOBS],
    ["Remote backups", REMOTE_BACKUP],
    ["Accounts and sessions", ACCOUNTS],
    ["Signing in through an identity provider", OIDC],
    ["Other servers", FEDERATION],
    ["The public logs", PUBLIC_LOGS],
    ["Notices and the operator's page", NOTICES],
    ["The map", MAP],
    ["Limits", LIMITS],
    ["The log", LOG],
  ];

/** All of them, by their names. */
export const SETTINGS = {
  ...PLACE,
  ...STORAGE,
  ...BLOBS,
  ...REMOTE_BACKUP,
  ...ACCOUNTS,
  ...OIDC,
  ...FEDERATION,
  ...PUBLIC_LOGS,
  ...NOTICES,
  ...MAP,
  ...LIMITS,
  ...LOG,
};

type Declared = typeof SETTINGS;

/** The name of a setting. */
export type Name = keyof Declared;

/** A configuration in force, by the settings' names. */
export type Config = {
  readonly [N in Name]: ReturnType<Declared[N]["read"]>;
};

/** Whether there is a setting of a name. */
export function isName(name: string): name is Name {
  return Object.hasOwn(SETTINGS, name);
}
