/**
 * What a device says that cannot tell whether the account's state is the newest
 * one: which photos are hidden, above all.
 *
 * @module
 */
import { useLoaded } from "../../loaded.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { messages } from "../../messages.ts";
import { revision, vault } from "../../vault.ts";

/** The notice; nothing where another device vouches for the state. */
export function LibraryDoubt() {
  const { settings } = messages.value;
  const { value, again } = useLoaded(() => vault().settings.libraryStatus(), [
    revision.value,
  ]);
  if (value === undefined || value === "whole") return null;
  const goOn = async () => {
    await vault().settings.goOn("library");
    again();
  };
  const isBehind = value === "behind";
  return (
    <Notice {...isBehind ? {} : { kind: "warn" }}>
      {isBehind ? settings.libraryBehind : settings.libraryUnconfirmed}{" "}
      <Button onClick={goOn}>{settings.goOn}</Button>
    </Notice>
  );
}
