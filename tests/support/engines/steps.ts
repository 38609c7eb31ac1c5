/**
 * Steps of the stories that every engine is led through.
 *
 * @module
 */
import assert from "node:assert/strict";
import { PASSWORD } from "../web_app.ts";
import type { Photographer } from "../web_people.ts";
import type { Person } from "./person.ts";

export const UNLOCK_PHRASE = "a lake in the early morning";

/** Signs up, and writes the words down. */
export async function signUp(
  person: Person,
  at: string,
  seen: (what: string) => Promise<void>,
): Promise<void> {
  await person.window.open(at);
  await person.find("button", "Create an account");
  await seen("landing");
  await person.press("button", "Create an account");
  await person.fill("Email address", "ada@example.org");
  await person.fill("Password", PASSWORD);
  await seen("sign-up");
  await person.pressAt("button[type=submit]");
  if (new URL(at).hostname !== "127.0.0.1") {
    await person.fill("Browser phrase", UNLOCK_PHRASE);
    await person.press("button", "Stay signed in");
  }
  await person.find("heading", "No photos yet");
  await seen("empty");
  await person.window.run("location.hash = '#/words'");
  await person.find("button", "I have written them down");
  const words: string[] = await person.window.run(
    `return [...document.querySelector("[aria-label='Your 24 words']")
      .querySelectorAll("li")].map((one) => one.innerText.trim())`,
  );
  assert.equal(words.length, 24);
  await seen("words");
  await person.press("button", "I have written them down");
  await person.find("field", "Word ", false);
  const asked: string[] = await person.window.run(
    `return [...document.querySelectorAll(".field label")]
      .map((one) => one.textContent).filter((one) => /^Word \\d+$/.test(one))`,
  );
  assert.equal(asked.length, 3);
  for (const label of asked) {
    await person.fill(label, words[Number(label.slice(5)) - 1] ?? "");
  }
  await person.press("button", "Continue");
  await person.find("heading", "No photos yet");
}

/** Locks the browser with a phrase. */
export async function lock(person: Person, isPlain: boolean): Promise<void> {
  if (isPlain) {
    // A reload has asked for it already: the key was in memory alone.
    await person.fill("Browser phrase", UNLOCK_PHRASE);
    await person.press("button", "Open");
    await person.press("button", "Account");
    await person.press("button", "Lock now");
    return;
  }
  await person.press("button", "Account");
  await person.press("button", "Lock now");
  await person.dialog();
  // The page was loaded again since the password was entered.
  await person.fill("Password", PASSWORD);
  await person.fill("Browser phrase", UNLOCK_PHRASE);
  await person.pressAt("dialog[open] button.main");
}

/** Signs in, and opens the photos with the 24 words. */
export async function openPhotos(
  person: Person,
  at: string,
  who: Photographer,
): Promise<void> {
  await person.window.open(at);
  await person.press("button", "Sign in");
  await person.fill("Email address", who.address);
  await person.fill("Password", PASSWORD);
  await person.pressAt("button[type=submit]");
  await person.press("button", "With your 24 words", false);
  await person.fill("Your 24 words", who.words);
  await person.press("button", "Open");
  await person.at(".grid a");
}
