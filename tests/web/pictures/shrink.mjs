// shrink.mjs FILE OUT: a picture of a page (8-bit PNG without interlace, as Chromium makes it) with at most 256 colours: the most frequent
// ones, and for others the nearest of these. A third to a quarter of the size.
import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync, inflateSync } from "node:zlib";

const [file, out] = process.argv.slice(2);
const bytes = readFileSync(file);
let header, data = [];
for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = { width: body.readUInt32BE(0), height: body.readUInt32BE(4), depth: body[8], colour: body[9], interlace: body[12] };
    if (type === "IDAT") data.push(body);
    at += length + 12;
}
const channels = { 2: 3, 6: 4 }[header.colour];
if (!channels || header.depth !== 8 || header.interlace) throw new Error(`${file}: not such a PNG`);

// The filters of PNG, undone.
const raw = inflateSync(Buffer.concat(data));
const stride = header.width * channels;
const pixels = Buffer.alloc(stride * header.height);
const paeth = (a, b, c) => {
    const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
};
for (let y = 0; y < header.height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
        const a = x < channels ? 0 : pixels[y * stride + x - channels];
        const b = y === 0 ? 0 : pixels[(y - 1) * stride + x];
        const c = x < channels || y === 0 ? 0 : pixels[(y - 1) * stride + x - channels];
        const guess = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
        pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
    }
}

const counts = new Map();
const at = (i) => (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
for (let i = 0; i < pixels.length; i += channels) counts.set(at(i), (counts.get(at(i)) ?? 0) + 1);
const palette = [...counts].sort((one, other) => other[1] - one[1]).slice(0, 256).map(([colour]) => colour);
const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
const nearest = new Map(palette.map((colour, index) => [colour, index]));
for (const colour of counts.keys()) {
    if (nearest.has(colour)) continue;
    const [r, g, b] = parts(colour);
    let best = 0, least = Infinity;
    palette.forEach((other, index) => {
        const [r2, g2, b2] = parts(other);
        const distance = (r - r2) ** 2 + (g - g2) ** 2 + (b - b2) ** 2;
        if (distance < least) [best, least] = [index, distance];
    });
    nearest.set(colour, best);
}
const lines = Buffer.alloc((header.width + 1) * header.height);
for (let y = 0; y < header.height; y++) for (let x = 0; x < header.width; x++) lines[y * (header.width + 1) + 1 + x] = nearest.get(at(y * stride + x * channels));

// Node 18 has no crc32.
const table = Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n >>> 0;
});
const crc = (buffer) => (buffer.reduce((sum, byte) => table[(sum ^ byte) & 255] ^ (sum >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;
function chunk(type, body) {
    const all = Buffer.concat([Buffer.from(type, "latin1"), body]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    sum.writeUInt32BE(crc(all));
    return Buffer.concat([length, all, sum]);
}
const size = Buffer.alloc(13);
size.writeUInt32BE(header.width, 0);
size.writeUInt32BE(header.height, 4);
size.set([8, 3, 0, 0, 0], 8);
writeFileSync(out, Buffer.concat([bytes.subarray(0, 8), chunk("IHDR", size), chunk("PLTE", Buffer.from(palette.flatMap(parts))), chunk("IDAT", deflateSync(lines, { level: 9 })), chunk("IEND", Buffer.alloc(0))]));
