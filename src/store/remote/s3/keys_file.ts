/**
 * Reading the keys of a bucket from a file in the form of `~/.aws/credentials`.
 *
 * @module
 */
import { reasonOf } from "../../../core/reason.ts";
import { ConfigFault } from "../../../core/settings.ts";

export interface BucketKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const FILE_MAX_BYTES = 64 * 1024;

/**
 * Reads the keys; throws a {@link ConfigFault} that contains nothing of the
 * file.
 */
export function readBucketKeys(
  path: string,
  setting = "STRONGROOM_S3_KEYS_FILE",
): BucketKeys {
  const fault = (what: string) =>
    new ConfigFault([`${setting}: ${path}: ${what}`]);
  let text: string;
  try {
    if (Deno.statSync(path).size > FILE_MAX_BYTES) throw fault("is too large");
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof ConfigFault) throw error;
    throw fault(`cannot be read (${reasonOf(error)})`);
  }
  const accessKeyId = valueOf(text, "aws_access_key_id");
  const secretAccessKey = valueOf(text, "aws_secret_access_key");
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw fault(
      "wants the lines aws_access_key_id = ... and aws_secret_access_key = ...",
    );
  }
  return { accessKeyId, secretAccessKey };
}

/** The first value with this name. */
function valueOf(text: string, name: string): string | undefined {
  const pattern = new RegExp(
    `^[ \\t]*${name}[ \\t]*=[ \\t]*(\\S+)[ \\t]*$`,
    "m",
  );
  return pattern.exec(text.replaceAll("\r", ""))?.[1];
}
