/**
 * A running server's notices: it looks around now and then, and sends what
 * waits. Nothing waits for it.
 *
 * @module
 */
import type { OpenedApp } from "../app.ts";
import type { Platform } from "../core/platform.ts";
import { MINUTE_MS } from "../core/time.ts";
import { type Sights } from "../features/notices/conditions.ts";
import { lookAround } from "../features/notices/conditions.ts";
import { Failing } from "./log/retry_log.ts";

/** It looks around this often. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;
/** Notices by commands, and failed ones, wait at most this long. */
const SEND_EVERY_MS = MINUTE_MS / 2;

/** Begins at once; returns what ends it, once nothing is under way. */
export function startNotices(
  { app }: OpenedApp,
  platform: Platform,
  sights: Sights,
): () => Promise<void> {
  const { notices } = app;
  if (!notices.isOn) return () => Promise.resolve();
  const { log } = platform;
  const delivery = import("./deliver.ts").then(({ delivering }) =>
    delivering(platform)
  );
  const failing = new Failing(log, "notices were not seen to");
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const work = (what: () => Promise<unknown>) => {
    running = running.then(async () => {
      if (isStopped) return;
      try {
        await what();
        failing.succeeded();
      } catch (cause) {
        failing.failed(cause);
      }
    });
  };
  let isAsked = false;
  const send = () => {
    // One that begins later sends what is asked for now.
    if (isAsked) return;
    isAsked = true;
    work(async () => {
      isAsked = false;
      await notices.sendDue(await delivery);
    });
  };
  const look = () => work(() => lookAround(app, notices, sights));
  notices.onQueued = send;
  look();
  send();
  const timers = [
    setInterval(look, LOOK_EVERY_MS),
    setInterval(send, SEND_EVERY_MS),
  ];
  return async () => {
    isStopped = true;
    for (const timer of timers) clearInterval(timer);
    notices.onQueued = () => {};
    await running;
  };
}
